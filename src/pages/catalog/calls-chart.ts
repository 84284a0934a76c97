import { html } from 'hono/html';
import type { ServiceJson } from '../../wire/responses/service-response.ts';
import type { Html } from '../frame/layout.ts';

type Call = Pick<ServiceJson['receipts'][number], 'time' | 'quality' | 'latency_ms'>;

const WIDTH = 640;
const HEIGHT = 170;
const FLOOR = 130;
const CEILING = 24;
const SIDE = 20;

/** Paid calls over time, oldest first: the height is the latency, the symbol the grade. */
export function callsChart(newestFirst: readonly Call[]): Html | string {
  const calls = newestFirst.toReversed();
  const [first] = calls;
  const last = calls.at(-1);
  if (first === undefined || last === undefined || calls.length < 2) return '';
  const slowest = Math.max(1, ...calls.map(({ latency_ms }) => latency_ms ?? 0));
  const step = (WIDTH - 2 * SIDE) / (calls.length - 1);
  const day = (time: string) => time.slice(0, 10);
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="The paid calls in the table below, over time">
<line class="axis" x1="0" y1="${FLOOR}" x2="${WIDTH}" y2="${FLOOR}"/>
<text x="0" y="12">${slowest} ms</text>
${calls.map(({ quality, latency_ms }, index) => point(quality, SIDE + index * step, heightOf(latency_ms ?? 0, slowest)))}<text x="0" y="${FLOOR + 18}">${day(first.time)}</text>
<text x="${WIDTH}" y="${FLOOR + 18}" text-anchor="end">${day(last.time)}</text>
<circle class="pass" cx="${SIDE}" cy="${HEIGHT - 8}" r="5"/><text x="${SIDE + 10}" y="${HEIGHT - 4}">pass</text>
${cross(SIDE + 70, HEIGHT - 8)}<text x="${SIDE + 80}" y="${HEIGHT - 4}">fail</text>
<circle class="not_graded" cx="${SIDE + 134}" cy="${HEIGHT - 8}" r="5"/><text x="${SIDE + 144}" y="${HEIGHT - 4}">not graded</text>
</svg>`;
}

function heightOf(latencyMs: number, slowest: number): number {
  return FLOOR - (latencyMs / slowest) * (FLOOR - CEILING);
}

/** A full dot, a cross or a ring: never colour alone. */
function point(quality: Call['quality'], x: number, y: number): Html {
  const [left, top] = [x.toFixed(1), y.toFixed(1)];
  const sign =
    quality === 'fail' ? cross(x, y) : html`<circle class="${quality}" cx="${left}" cy="${top}" r="5"/>`;
  return html`<line class="stem" x1="${left}" y1="${FLOOR}" x2="${left}" y2="${top}"/>${sign}
`;
}

function cross(x: number, y: number): Html {
  const [left, right, top, bottom] = [x - 5, x + 5, y - 5, y + 5].map((at) => at.toFixed(1));
  return html`<path class="fail" d="M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}"/>`;
}
