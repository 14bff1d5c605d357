//! The frames of the host link.

use rust_hdl::prelude::*;

/// What the link does.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum LinkState {
    /// Waits for the first byte of a frame.
    Hunt,
    /// Receives the kind.
    Kind,
    /// Receives the length of the contents.
    Length,
    /// Receives the contents.
    Contents,
    /// Receives the CRC.
    CrcHigh,
    /// Receives the CRC.
    CrcLow,
    /// Is the frame right?
    Check,
    /// Reads the contents again and obeys.
    Execute,
    /// Begins the answer.
    Answer,
    /// Sends the first byte.
    SendStart,
    /// Sends the kind.
    SendKind,
    /// Sends the length.
    SendLength,
    /// Waits for a byte of the row.
    SendWait,
    /// Sends a byte of the row.
    SendContents,
    /// Sends the CRC.
    SendCrcHigh,
    /// Sends the CRC.
    SendCrcLow,
}

/// Takes frames from bytes, obeys those that are whole, and answers. A frame with a wrong CRC, or that ends
/// early, is dropped and counted; the host sends it again.
#[derive(LogicBlock, Default)]
pub struct Link {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// A received byte.
    pub received: Signal<In, Bits<8>>,
    /// There is one.
    pub received_valid: Signal<In, Bit>,
    /// The byte to send.
    pub sent: Signal<Out, Bits<8>>,
    /// There is one.
    pub sent_valid: Signal<Out, Bit>,
    /// It is taken.
    pub sent_ready: Signal<In, Bit>,
    /// The region that a frame is about.
    pub region: Signal<Out, Bits<8>>,
    /// The first row.
    pub row: Signal<Out, Bits<16>>,
    /// One clock: a frame about these begins.
    pub seek: Signal<Out, Bit>,
    /// One clock for each byte to write.
    pub write: Signal<Out, Bit>,
    /// That byte.
    pub data: Signal<Out, Bits<8>>,
    /// One clock: all bytes of the frame are written.
    pub commit: Signal<Out, Bit>,
    /// The byte to read, seven clocks after `seek` or `step`.
    pub read: Signal<In, Bits<8>>,
    /// One clock: the byte was read.
    pub step: Signal<Out, Bit>,
    /// Frames with a wrong CRC or contents that mean nothing.
    pub bad: Signal<Out, Bits<8>>,
    /// Frames that ended early.
    pub cut: Signal<Out, Bits<8>>,
    state: DFF<LinkState>,
    kind: DFF<Bits<8>>,
    length: DFF<Bits<8>>,
    index: DFF<Bits<8>>,
    following: Signal<Local, Bits<8>>,
    crc: DFF<Bits<16>>,
    absorbs: Signal<Local, Bit>,
    absorbed: Signal<Local, Bits<8>>,
    high: Signal<Local, Bits<8>>,
    mixed: Signal<Local, Bits<8>>,
    wide: Signal<Local, Bits<16>>,
    is_receiving: Signal<Local, Bit>,
    silence: DFF<Bits<16>>,
    contents: RAM<Bits<8>, 8>,
    has_read: DFF<Bit>,
    seeks: DFF<Bit>,
    pause: DFF<Bits<3>>,
    region_held: DFF<Bits<8>>,
    row_held: DFF<Bits<16>>,
    bad_frames: DFF<Bits<8>>,
    cut_frames: DFF<Bits<8>>,
}

impl Logic for Link {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            kind,
            length,
            index,
            crc,
            silence,
            has_read,
            seeks,
            pause,
            region_held,
            row_held,
            bad_frames,
            cut_frames
        );
        self.contents.read_clock.next = self.clock.val();
        self.contents.write_clock.next = self.clock.val();
        self.contents.read_address.next = self.index.q.val();
        self.contents.write_address.next = self.index.q.val();
        self.contents.write_data.next = self.received.val();
        self.contents.write_enable.next = false;
        self.region.next = self.region_held.q.val();
        self.row.next = self.row_held.q.val();
        self.seek.next = self.seeks.q.val();
        self.seeks.d.next = false;
        self.write.next = false;
        self.data.next = self.contents.read_data.val();
        self.commit.next = false;
        self.step.next = false;
        self.bad.next = self.bad_frames.q.val();
        self.cut.next = self.cut_frames.q.val();
        self.sent.next = 0xA5.into();
        self.sent_valid.next = false;
        self.has_read.d.next = false;
        self.pause.d.next = 0.into();
        self.following.next = self.index.q.val() + 1;
        self.is_receiving.next = false;
        self.absorbs.next = false;
        self.absorbed.next = self.received.val();
        match self.state.q.val() {
            LinkState::Hunt => {
                self.crc.d.next = 0xFFFF.into();
                self.index.d.next = 0.into();
                if self.received_valid.val() && (self.received.val() == 0xA5) {
                    self.state.d.next = LinkState::Kind;
                }
            }
            LinkState::Kind => {
                self.is_receiving.next = true;
                self.absorbs.next = self.received_valid.val();
                if self.received_valid.val() {
                    self.kind.d.next = self.received.val();
                    self.state.d.next = LinkState::Length;
                }
            }
            LinkState::Length => {
                self.is_receiving.next = true;
                self.absorbs.next = self.received_valid.val();
                if self.received_valid.val() {
                    self.length.d.next = self.received.val();
                    self.state.d.next = LinkState::Contents;
                    if self.received.val() == 0 {
                        self.state.d.next = LinkState::CrcHigh;
                    }
                }
            }
            LinkState::Contents => {
                self.is_receiving.next = true;
                self.absorbs.next = self.received_valid.val();
                self.contents.write_enable.next = self.received_valid.val();
                if self.received_valid.val() {
                    self.index.d.next = self.following.val();
                    if self.following.val() == self.length.q.val() {
                        self.state.d.next = LinkState::CrcHigh;
                    }
                }
            }
            LinkState::CrcHigh => {
                self.is_receiving.next = true;
                self.absorbs.next = self.received_valid.val();
                if self.received_valid.val() {
                    self.state.d.next = LinkState::CrcLow;
                }
            }
            LinkState::CrcLow => {
                self.is_receiving.next = true;
                self.absorbs.next = self.received_valid.val();
                if self.received_valid.val() {
                    self.state.d.next = LinkState::Check;
                }
            }
            LinkState::Check => {
                self.index.d.next = 0.into();
                self.bad_frames.d.next = self.bad_frames.q.val() + 1;
                self.state.d.next = LinkState::Hunt;
                // The CRC of a frame with its CRC is 0.
                if self.crc.q.val() == 0 {
                    if (self.kind.q.val() == 1) && (self.length.q.val() > 2) {
                        self.bad_frames.d.next = self.bad_frames.q.val();
                        self.state.d.next = LinkState::Execute;
                    }
                    if (self.kind.q.val() == 2) && (self.length.q.val() == 4) {
                        self.bad_frames.d.next = self.bad_frames.q.val();
                        self.state.d.next = LinkState::Execute;
                    }
                }
            }
            LinkState::Execute => {
                // The RAM takes a clock to read.
                self.has_read.d.next = !self.has_read.q.val();
                if self.has_read.q.val() {
                    self.index.d.next = self.following.val();
                    if self.index.q.val() == 0 {
                        self.region_held.d.next = self.contents.read_data.val();
                    } else if self.index.q.val() == 1 {
                        self.row_held.d.next = bit_cast::<16, 8>(self.contents.read_data.val());
                    } else if self.index.q.val() == 2 {
                        self.row_held.d.next = self.row_held.q.val()
                            | (bit_cast::<16, 8>(self.contents.read_data.val()) << 8);
                        self.seeks.d.next = true;
                    } else {
                        self.write.next = self.kind.q.val() == 1;
                    }
                    if self.following.val() == self.length.q.val() {
                        self.length.d.next = self.contents.read_data.val();
                        self.state.d.next = LinkState::Answer;
                    }
                }
            }
            LinkState::Answer => {
                self.crc.d.next = 0xFFFF.into();
                self.index.d.next = 0.into();
                self.state.d.next = LinkState::SendStart;
                if self.kind.q.val() == 1 {
                    self.commit.next = true;
                    self.length.d.next = 0.into();
                }
            }
            LinkState::SendStart => {
                self.sent_valid.next = true;
                if self.sent_ready.val() {
                    self.state.d.next = LinkState::SendKind;
                }
            }
            LinkState::SendKind => {
                self.sent.next = self.kind.q.val() | 0x80;
                self.sent_valid.next = true;
                self.absorbs.next = self.sent_ready.val();
                if self.sent_ready.val() {
                    self.state.d.next = LinkState::SendLength;
                }
            }
            LinkState::SendLength => {
                self.sent.next = self.length.q.val();
                self.sent_valid.next = true;
                self.absorbs.next = self.sent_ready.val();
                if self.sent_ready.val() {
                    self.state.d.next = LinkState::SendWait;
                    if self.length.q.val() == 0 {
                        self.state.d.next = LinkState::SendCrcHigh;
                    }
                }
            }
            LinkState::SendWait => {
                self.pause.d.next = self.pause.q.val() + 1;
                if self.pause.q.val() == 7 {
                    self.state.d.next = LinkState::SendContents;
                }
            }
            LinkState::SendContents => {
                self.sent.next = self.read.val();
                self.sent_valid.next = true;
                self.absorbs.next = self.sent_ready.val();
                if self.sent_ready.val() {
                    self.step.next = true;
                    self.index.d.next = self.following.val();
                    self.state.d.next = LinkState::SendWait;
                    if self.following.val() == self.length.q.val() {
                        self.state.d.next = LinkState::SendCrcHigh;
                    }
                }
            }
            LinkState::SendCrcHigh => {
                self.sent.next = self.crc.q.val().get_bits::<8>(8);
                self.sent_valid.next = true;
                if self.sent_ready.val() {
                    self.state.d.next = LinkState::SendCrcLow;
                }
            }
            LinkState::SendCrcLow => {
                self.sent.next = self.crc.q.val().get_bits::<8>(0);
                self.sent_valid.next = true;
                if self.sent_ready.val() {
                    self.state.d.next = LinkState::Hunt;
                }
            }
            _ => {
                self.state.d.next = LinkState::Hunt;
            }
        }
        self.silence.d.next = 0.into();
        if self.is_receiving.val() && !self.received_valid.val() {
            self.silence.d.next = self.silence.q.val() + 1;
            if self.silence.q.val() == 0xFFFF {
                self.cut_frames.d.next = self.cut_frames.q.val() + 1;
                self.state.d.next = LinkState::Hunt;
            }
        }
        // CRC-16/CCITT, a byte at a time: x^16 + x^12 + x^5 + 1.
        if !self.is_receiving.val() {
            self.absorbed.next = self.sent.val();
        }
        self.high.next = self.crc.q.val().get_bits::<8>(8) ^ self.absorbed.val();
        self.mixed.next = self.high.val() ^ (self.high.val() >> 4);
        self.wide.next = bit_cast::<16, 8>(self.mixed.val());
        if self.absorbs.val() {
            self.crc.d.next = (self.crc.q.val() << 8)
                ^ (self.wide.val() << 12)
                ^ (self.wide.val() << 5)
                ^ self.wide.val();
        }
    }
}
