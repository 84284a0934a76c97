/** What only the page of skips and its charts need, behind the stylesheet of all pages and with its colours. */
export const SKIPS_STYLE = `
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 0.75rem; margin: 1.25rem 0 0.75rem; }
.tile { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 0.6rem 0.8rem; }
.tile dt { font-size: 0.9rem; }
.tile dd { font-size: 1.6rem; font-weight: 600; line-height: 1.3; font-variant-numeric: tabular-nums; }
.tile.skip { background: var(--skip-soft); }
.tile.skip dd { color: var(--skip); }
.tile.pay { background: var(--pay-soft); }
.tile.pay dd { color: var(--pay); }
.tile.recheck { background: var(--recheck-soft); }
.tile.recheck dd { color: var(--recheck); }
.quiet, .chart figcaption { color: var(--faint); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1.5rem 2.5rem; margin: 1.5rem 0; }
.chart { margin: 0; }
.chart figcaption { font-weight: 600; padding-bottom: 0.5rem; }
.chart > svg { display: block; width: 100%; max-width: 30rem; height: auto; }
.chart text { fill: var(--ink); font-size: 12.5px; }
.chart text.quiet { fill: var(--faint); }
.chart details { margin-top: 0.5rem; }
.chart summary { color: var(--link); cursor: pointer; }
.chart table { display: table; max-width: 30rem; }
.chart th, .chart td { min-width: 0; }
.swatch { width: 0.9rem; height: 0.9rem; vertical-align: -0.1rem; margin-right: 0.25rem; }
.fill-pay { fill: var(--pay); }
.fill-skip { fill: var(--skip); }
.fill-recheck { fill: var(--recheck); }
.fill-paper { fill: var(--paper); }
.fill-line { fill: var(--line); }
.bar { width: 6rem; height: 0.6rem; margin-right: 0.35rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding-right: 1rem; }
tbody th { font-weight: 400; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
.wide:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.wide table { min-width: 40rem; }
.filters { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 0.75rem 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; }
.filters label { display: grid; gap: 0.2rem; font-size: 0.9rem; color: var(--faint); }
.filters input, .filters select, .filters button { font: inherit; font-size: 1rem; color: var(--ink); background: var(--paper); border: 1px solid var(--faint); border-radius: 4px; padding: 0.4rem 0.5rem; min-height: 2.5rem; width: 100%; }
.filters button { width: auto; padding: 0.4rem 1.2rem; background: var(--link); border-color: var(--link); color: var(--paper); font-weight: 600; cursor: pointer; }
.filters :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.filters .buttons { grid-column: 1 / -1; display: flex; gap: 1rem; align-items: center; margin: 0; }
.found { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; overflow-wrap: anywhere; }
.forms a { margin-right: 0.75rem; white-space: nowrap; }
.pager { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
@media (min-width: 42.01rem) { .skips th:first-child { width: 36%; } .skips td:nth-child(5) { min-width: 6rem; overflow-wrap: break-word; } }
.skips tbody th bdi { word-break: break-all; }
.skips td:last-child { white-space: nowrap; }
.skips tr { scroll-margin-top: 1rem; }
@media (max-width: 42rem) {
  .skips, .skips tbody, .skips caption { display: block; }
  .skips thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .skips tr { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  .skips th, .skips td { border: 0; padding: 0.1rem 0; min-width: 0; text-align: left; }
  .skips tbody th, .skips td:nth-child(2) { width: 100%; }
  .skips td[data-name] { font-size: 0.9rem; color: var(--faint); }
  .skips td[data-name]:empty { display: none; }
  .skips td[data-name]::before { content: attr(data-name) " "; }
  .wide table { display: table; }
  .tiles { grid-template-columns: repeat(3, 1fr); gap: 0.5rem; }
  .tile { padding: 0.5rem 0.6rem; }
  .tile dd { font-size: 1.25rem; }
}
@media print {
  .filters, .pager, .forms { display: none; }
}
`;
