#!/bin/sh
# A frame of a real program: records Minetest's calls of OpenGL, converts the last frame, draws it, and compares it with
# the picture that Mesa's llvmpipe makes of the same calls. Exit code 1: more than 0.1 % of the pixels differ by more
# than two steps of a channel. The frame stays in the folder that is named, by default target/minetest.
#
# Debian packages: minetest, apitrace, apitrace-tracers, xvfb, xauth, libgl1-mesa-dri, python3-pil.
set -eu
cd "$(dirname "$0")/../.."
out="${1:-target/minetest}"

packages="minetest apitrace apitrace-tracers xvfb xauth libgl1-mesa-dri python3-pil"
# shellcheck disable=SC2086
if ! dpkg-query -W -f '${db:Status-Abbrev}\n' $packages > /dev/null 2>&1; then
    as_root=""
    [ "$(id -u)" = 0 ] || as_root="sudo"
    $as_root apt-get update
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y --no-install-recommends $packages
fi
cargo build --bin warpsmith
binary="${CARGO_TARGET_DIR:-$PWD/target}/debug/warpsmith"

rm -rf "$out"
mkdir -p "$out/home" "$out/world/worldmods/look"
out="$(cd "$out" && pwd)"
root="$PWD"
cat > "$out/world/world.mt" <<'END'
gameid = minetest
backend = sqlite3
player_backend = sqlite3
auth_backend = sqlite3
mod_storage_backend = sqlite3
END
# Along the axes, samples lie on texels' edges, and neither side of an edge is wrong. The cross in the middle is of lines.
cat > "$out/world/worldmods/look/init.lua" <<'END'
minetest.register_on_joinplayer(function(player)
    player:set_look_horizontal(0.63)
    player:set_look_vertical(0.21)
    player:hud_set_flags({crosshair = false})
end)
END
# Fixed functions, one texture without mips, and few frames a second.
cat > "$out/minetest.conf" <<'END'
video_driver = opengl
enable_shaders = false
enable_vbo = false
mip_map = false
anisotropic_filter = false
fsaa = 0
screen_w = 640
screen_h = 480
fps_max = 5
fps_max_unfocused = 5
enable_sound = false
viewing_range = 60
fixed_map_seed = 1
mg_name = v7
time_speed = 0
node_highlighting = none
END
HOME="$out/home" LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe
export HOME LIBGL_ALWAYS_SOFTWARE GALLIUM_DRIVER
cd "$out"
# The program is ended, whatever it is doing then: the trace has what came before.
timeout -s INT "${SECONDS_OF_PLAY:-40}" xvfb-run -a -s "-screen 0 640x480x24" \
    apitrace trace --api gl -o minetest.trace \
    /usr/games/minetest --config minetest.conf --world world --gameid minetest --go > recording.log 2>&1 || true
# Calls that end the last two frames; what was being written at the end is incomplete.
apitrace dump --color=never --grep='SwapBuffers$' minetest.trace | grep -v incomplete |
    sed -n 's/^\([0-9]*\) .*/\1/p' | tail -n 2 > swaps
before="$(head -n 1 swaps)" last="$(tail -n 1 swaps)"
# Arrays and draws of earlier frames change nothing later.
{
    apitrace dump --color=never --blobs --multiline=no --grep='^(?!glDraw|gl[A-Za-z]*Pointer$)' \
        --calls="0-$before" minetest.trace
    apitrace dump --color=never --blobs --multiline=no --calls="$((before + 1))-$last" minetest.trace
} > minetest.txt
xvfb-run -a -s "-screen 0 640x480x24" apitrace replay --headless -S "$last" -s llvmpipe- minetest.trace
mv "llvmpipe-"*.png llvmpipe.png

"$binary" frame minetest.txt --out frame | tee frame.log
draws="$(sed -n 's/^ draws *\([0-9,]*\)$/\1/p' frame.log | tr -d ,)"
if [ "$draws" -lt 100 ]; then
    echo "$draws draws: the world was not there yet; give it longer with SECONDS_OF_PLAY=120" >&2
    exit 1
fi
"$binary" render frame/minetest.frame.toml --out ours.png
/usr/bin/python3 "$root/tests/frames/compare.py" ours.png llvmpipe.png
