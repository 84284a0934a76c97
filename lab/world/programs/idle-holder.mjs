/**
 * Connections that do nothing, in a process of their own, because a process may have only so many. One in four never says a word,
 * the others have asked once and keep their line. Whatever the service or its death takes away is opened again.
 */
import { connect } from 'node:net';
import { hearCalls } from './hear-calls.mjs';

const LOOK_MS = 25;
const SAMPLE_MS = 500;
const SAMPLES_MAX = 20_000;
/** On their way to one place at a time, and begun at a time. */
const OPENING_MAX = 200;
const BEGUN_MAX = 50;
const SILENT_SHARE = 0.25;
/** One address of ours has 28,000 ports, and those that were used stay taken for a minute. */
const SOURCES = 32;
/** Whoever is let go so soon was not taken in. */
const REFUSED_MS = 1_000;
const ANSWER_MS = 15_000;
/** Headers have ten seconds, a line is kept for 65; a busy machine looks late. */
const LET_GO_MS = { silent: 30_000, kept: 90_000 };
/** One whom nobody took in, because the system's own line was full, learns so only when it says something. */
const NUDGE_MS = 20_000;

const HELLO = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const state = { places: [], turn: 0, samples: [], isOver: false, timers: [] };

function start({ places }) {
  state.places = places.map(({ port, share }) => ({
    port,
    share,
    opening: 0,
    /** Of all, on their way or held. */
    silent: 0,
    held: new Set(),
    isRefused: false,
    opened: 0,
    overdue: 0,
  }));
  state.timers = [setInterval(look, LOOK_MS), setInterval(sample, SAMPLE_MS)];
}

function look() {
  for (const place of state.places) {
    const missing = place.share - place.held.size - place.opening;
    // Where nobody takes anybody in, one of them finds out when that is over.
    const most = place.isRefused ? 1 - place.opening : Math.min(OPENING_MAX - place.opening, BEGUN_MAX);
    for (let begun = 0; begun < Math.min(missing, most); begun += 1) open(place);
  }
}

function open(place) {
  state.turn += 1;
  const all = place.held.size + place.opening + 1;
  const kind = place.silent < all * SILENT_SHARE ? 'silent' : 'kept';
  if (kind === 'silent') place.silent += 1;
  const localAddress = `127.0.3.${1 + (state.turn % SOURCES)}`;
  const socket = connect({ host: '127.0.0.1', port: place.port, localAddress });
  const one = { socket, kind, since: performance.now() };
  const hold = () => {
    if (one.isHeld) return;
    one.isHeld = true;
    place.opening -= 1;
    place.opened += 1;
    // Whoever has not been answered does not know yet.
    if (kind === 'kept') place.isRefused = false;
    place.held.add(one);
    socket.setTimeout(0);
  };
  place.opening += 1;
  // A reset is an end, too.
  socket.on('error', () => {});
  socket.setTimeout(ANSWER_MS, () => socket.destroy());
  socket.once('connect', () => (kind === 'silent' ? hold() : socket.write(HELLO)));
  socket.on('data', hold);
  socket.once('close', () => {
    if (!one.isHeld) place.opening -= 1;
    if (kind === 'silent') place.silent -= 1;
    place.held.delete(one);
    if (performance.now() - one.since < REFUSED_MS) place.isRefused = true;
  });
}

function sample() {
  const at = performance.now();
  for (const place of state.places) {
    for (const one of place.held) {
      const age = at - one.since;
      if (one.kind === 'silent' && age > NUDGE_MS && !one.isNudged) {
        one.isNudged = true;
        one.socket.write('G');
      }
      if (age < LET_GO_MS[one.kind]) continue;
      place.overdue += 1;
      one.socket.destroy();
    }
  }
  if (state.samples.length < SAMPLES_MAX) state.samples.push(heldNow());
}

const heldNow = () => state.places.map(({ held }) => held.size);

/** Lets all of them go. */
async function release() {
  for (const timer of state.timers) clearInterval(timer);
  const opened = state.places.reduce((sum, place) => sum + place.opened, 0);
  const overdue = state.places.reduce((sum, place) => sum + place.overdue, 0);
  for (const { held } of state.places) for (const { socket } of held) socket.destroy();
  return { samples: state.samples, opened, overdue };
}

hearCalls({ start, held: heldNow, release });
