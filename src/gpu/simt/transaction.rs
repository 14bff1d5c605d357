//! Transactions of a warp: where one begins, a checkpoint is taken, and lanes that abort go back to it.

use super::local::Local;
use super::problem::Problem;
use super::registers::Registers;
use super::step::Step;
use super::warp::Warp;
use crate::gpu::isa::Boundary;

/// A warp as it was where its transaction began.
#[derive(Debug)]
pub(super) struct Checkpoint {
    /// Index of the instruction that began it.
    begin: u32,
    lanes: u32,
    /// Calls above the kernel.
    depth: usize,
    registers: Registers,
    local: Local,
    carry: u32,
}

impl Warp {
    /// Lanes begin a transaction, or have come to its end.
    pub(super) fn transaction(&mut self, boundary: Boundary, lanes: u32) -> Result<Step, Problem> {
        let depth = self.calls_above_kernel();
        match (boundary, &self.checkpoint) {
            (Boundary::Begin, None) => {
                let begin = self.stack.top().map_or(0, |path| path.pc);
                let (registers, local) = (self.registers.clone(), self.local.clone());
                let carry = self.carry;
                let checkpoint = Checkpoint { begin, lanes, depth, registers, local, carry };
                self.checkpoint = Some(Box::new(checkpoint));
            }
            (Boundary::Begin, Some(_)) => return Err(Problem::InTransaction("__tx_begin")),
            (Boundary::Commit, Some(begun)) if (begun.lanes, begun.depth) == (lanes, depth) => {}
            (Boundary::Commit, _) => return Err(Problem::NotBegun),
        }
        Ok(Step::Transaction(boundary, lanes))
    }

    /// What cannot be done within a transaction is refused.
    pub(super) fn refuse_in_transaction(&self, what: &'static str) -> Result<(), Problem> {
        match self.checkpoint {
            Some(_) => Err(Problem::InTransaction(what)),
            None => Ok(()),
        }
    }

    /// The transaction that has come to its end is over. Lanes that aborted are taken back to its
    /// beginning and run it again; the others wait for them.
    pub fn end_transaction(&mut self, aborted: u32) {
        let Some(checkpoint) = self.checkpoint.take() else { return };
        let lanes = aborted & checkpoint.lanes;
        if lanes == 0 {
            return;
        }
        self.registers.restore(&checkpoint.registers, lanes);
        self.local.restore(&checkpoint.local, lanes);
        self.carry = self.carry & !lanes | checkpoint.carry & lanes;
        self.stack.retry(checkpoint.begin, lanes);
    }
}

#[cfg(test)]
mod tests {
    use crate::gpu::isa;
    use crate::gpu::simt::{Access, Identity, Image, Problem, Step, Surroundings, Warp};

    fn image(body: &str) -> Image {
        let text = format!(
            ".version 6.4\n.target sm_70\n.address_size 64\n\
             .extern .func __tx_begin(); .extern .func __tx_commit();\n\
             .visible .entry k() {{ .reg .b32 %r<8>; .reg .pred %p<2>; .local .b32 word;\n\
             mov.u32 %r0, %laneid; mov.u32 %r1, 1; {body} ret; }}"
        );
        Image::new(isa::load("test.ptx", &text).unwrap_or_else(|error| panic!("{error}")))
    }

    /// Runs a warp, whose transactions end with the lanes that abort in turn; gives what each lane
    /// stores to global memory at the end.
    fn run(body: &str, mut aborts: Vec<u32>) -> Result<Vec<u64>, Problem> {
        let image = image(body);
        let identity = Identity { block: [32, 1, 1], grid: [1; 3], ..Identity::default() };
        let mut warp = Warp::new(&image, &image.program.kernels[0], identity);
        let (mut access, mut stored) = (Access::default(), vec![0; 32]);
        loop {
            let around = Surroundings { image: &image, parameters: &[], clock: 0 };
            match warp.step(around, &mut access).map_err(|(_, problem)| problem)? {
                Step::Transaction(isa::Boundary::Commit, _) => {
                    warp.end_transaction(aborts.pop().unwrap_or(0));
                }
                Step::Access => access.lanes().for_each(|lane| stored[lane] = access.data[0][lane]),
                Step::Exited => return Ok(stored),
                _ => {}
            }
        }
    }

    const TRANSACTION: &str = "setp.lt.u32 %p0, %r0, 16; st.local.u32 [word], %r0;\n\
         @%p0 bra skip;\n\
         call.uni __tx_begin; add.u32 %r1, %r1, 1; shl.b32 %r1, %r1, 1;\n\
         ld.local.u32 %r2, [word]; add.u32 %r2, %r2, 5; st.local.u32 [word], %r2;\n\
         call.uni __tx_commit;\n\
         skip: ld.local.u32 %r2, [word]; mad.lo.u32 %r1, %r1, 1000, %r2; mov.u64 %rd0, 0x1000000;\n";

    #[test]
    fn lanes_that_abort_run_the_transaction_again_and_the_others_wait_for_them() {
        let body = format!(".reg .b64 %rd<2>; {TRANSACTION} st.global.u32 [%rd0], %r1;");
        let once = run(&body, vec![]).expect("it runs");
        assert_eq!((once[3], once[20]), (1003, 4025));
        for aborts in [vec![u32::MAX], vec![0x0010_0000, 0xfff0_0000, 0x00ff_ffff]] {
            assert_eq!(run(&body, aborts).expect("it runs"), once);
        }
    }

    #[test]
    fn transactions_that_do_not_fit_together_are_refused() {
        let refused = |body: &str| run(body, vec![]).expect_err("a problem").to_string();
        let within = |what: &str| format!("{what} within a transaction");
        assert_eq!(refused("call.uni __tx_begin; call.uni __tx_begin;"), within("__tx_begin"));
        assert_eq!(refused("call.uni __tx_begin; bar.sync 0;"), within("a barrier"));
        assert_eq!(refused("call.uni __tx_begin;"), within("the end of the kernel"));
        let other =
            "setp.lt.u32 %p0, %r0, 9; call.uni __tx_begin; @!%p0 bra on; call.uni __tx_commit; on:";
        for body in ["call.uni __tx_commit;", other] {
            assert!(refused(body).starts_with("__tx_commit"), "{}", refused(body));
        }
    }
}
