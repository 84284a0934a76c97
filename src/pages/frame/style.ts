import { CHECK_STYLE } from '../front/style-check.ts';
import { RECEIPT_STYLE } from '../receipt/style-receipt.ts';

/** System fonts, no colour that carries meaning alone, dark where the reader wants it. */
const BASE = `:root {
  color-scheme: light dark;
  --ink: #1c2430;
  --faint: #55606e;
  --paper: #ffffff;
  --panel: #f3f5f8;
  --line: #c9d0d9;
  --link: #0b57a8;
  --pay: #0b6b3a;
  --skip: #b3261e;
  --recheck: #7a5200;
  --pay-soft: #e5f4ea;
  --skip-soft: #fdebe9;
  --recheck-soft: #fdf3dc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6eaf0;
    --faint: #a4afbd;
    --paper: #12171e;
    --panel: #1b222c;
    --line: #3a4553;
    --link: #8cc2ff;
    --pay: #6fd79a;
    --skip: #ff9a90;
    --recheck: #f0c462;
    --pay-soft: #10291c;
    --skip-soft: #341917;
    --recheck-soft: #2d230d;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0 auto;
  max-width: 68rem;
  padding: 0 1.25rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 system-ui, sans-serif;
}
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible {
  outline: 3px solid var(--link);
  outline-offset: 2px;
  border-radius: 4px;
}
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
header, footer { padding: 1rem 0; color: var(--faint); }
header { display: flex; gap: 0.25rem 1.5rem; flex-wrap: wrap; align-items: baseline; border-bottom: 1px solid var(--line); }
header > a { font-weight: 700; font-size: 1.15rem; text-decoration: none; color: var(--ink); }
nav a, footer p a { margin-right: 1rem; }
footer { border-top: 1px solid var(--line); margin-top: 3rem; font-size: 0.9rem; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.6rem, 1.2rem + 2vw, 2.3rem); margin: 1.75rem 0 0.75rem; letter-spacing: -0.015em; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 0.5rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 0.25rem; }
p, li, dd { max-width: 46rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.92em; }
code { overflow-wrap: anywhere; }
pre {
  background: var(--panel);
  border: 1px solid var(--line);
  border-radius: 6px;
  padding: 0.75rem;
  overflow-x: auto;
  max-height: 30rem;
}
pre code { overflow-wrap: normal; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
caption { text-align: left; color: var(--faint); padding: 0.25rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.45rem 0.75rem 0.45rem 0; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
tr:target { background: var(--panel); }
details { border: 1px solid var(--line); border-radius: 6px; padding: 0 0.9rem; margin: 1rem 0; }
summary { cursor: pointer; padding: 0.55rem 0; }
details[open] > summary { border-bottom: 1px solid var(--line); margin-bottom: 0.75rem; }
button {
  font: inherit;
  padding: 0.5rem 1.1rem;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--panel);
  color: var(--ink);
  cursor: pointer;
}
button:hover { border-color: var(--ink); }
button:disabled { color: var(--faint); cursor: default; border-color: var(--line); }
button.first { background: var(--ink); border-color: var(--ink); color: var(--paper); font-weight: 600; }
.code { display: flex; gap: 0.5rem; align-items: start; margin: 1rem 0; }
.code pre { flex: 1; min-width: 0; margin: 0; }
.code .copy { margin-top: 0.6rem; }
button.copy { font-size: 0.8rem; padding: 0.05rem 0.5rem; border-radius: 4px; }
.mark { font-weight: 600; white-space: nowrap; }
.icon { width: 1.1em; height: 1.1em; vertical-align: -0.18em; fill: none; stroke: currentColor; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round; }
.pay { color: var(--pay); }
.skip { color: var(--skip); }
.recheck { color: var(--recheck); }
@media (max-width: 42rem) {
  body { padding: 0 1rem; }
  table:not(.rows) { display: block; overflow-x: auto; }
  table:not(.rows) :is(th, td) { min-width: 6rem; }
  table:not(.rows) td:first-child { min-width: 11rem; }
}
@media print {
  header nav, footer, form, .copy { display: none; }
}
`;

/** One stylesheet for all pages. */
export const STYLE: string = BASE + CHECK_STYLE + RECEIPT_STYLE;
