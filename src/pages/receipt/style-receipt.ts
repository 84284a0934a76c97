/** Listed against live, the rules one by one, the history of a URL, and the terms to sign. */
export const RECEIPT_STYLE = `.sign { border: 2px solid var(--pay); border-radius: 10px; padding: 0 1.4rem; margin: 1.25rem 0; }
.sign h2 { margin-top: 1rem; }
.sign.over { border-color: var(--recheck); }
.sign .deadline { font-variant-numeric: tabular-nums; }
.sign.over .deadline { color: var(--recheck); font-weight: 600; }
.address { white-space: nowrap; }
.none { color: var(--faint); font-weight: 400; }
.diff tbody th { font-weight: 600; }
.diff .same, .diff .unknown { color: var(--faint); }
.diff .same th, .diff .unknown th { font-weight: 400; }
.diff .different { background: var(--skip-soft); }
.diff .different td { font-weight: 600; }
.diff .different td:last-child { color: var(--skip); }
.diff .different :is(th, td):first-child { box-shadow: inset 4px 0 0 var(--skip); }
.diff :is(th, td):first-child { padding-left: 0.75rem; }
.steps td:last-child { white-space: nowrap; }
.steps .pass td:last-child { color: var(--pay); }
.steps .fail { background: var(--skip-soft); font-weight: 600; }
.steps .fail td:last-child { color: var(--skip); }
.steps :is(.not_compared, .not_reached) { color: var(--faint); }
.steps td:first-child { padding-left: 0.75rem; }
.steps th:first-child { padding-left: 0.75rem; }
.history { list-style: none; padding: 0; margin: 0.5rem 0; border-left: 2px solid var(--line); }
.history li { padding: 0.2rem 0 0.2rem 1rem; }
.history li[aria-current] { background: var(--panel); }
.history a .mark { display: inline-block; }
.tasks { columns: 14rem; padding-left: 1.25rem; }
.history a { text-decoration-thickness: 1px; }
.history .about { color: var(--faint); }
.history strong { color: var(--skip); }
.chart { display: block; width: 100%; max-width: 46rem; height: auto; margin: 0.5rem 0; }
.chart .axis { stroke: var(--line); stroke-width: 1; }
.chart text { fill: var(--faint); font: 12px system-ui, sans-serif; }
.chart .pass { fill: var(--pay); stroke: var(--pay); }
.chart .fail { fill: none; stroke: var(--skip); stroke-width: 2.5; }
.chart .not_graded { fill: var(--paper); stroke: var(--faint); stroke-width: 2; }
.chart .stem { stroke: var(--line); stroke-width: 2; }
@media (max-width: 42rem) {
  .sign { padding: 0 1rem; }
  .sign dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .sign dd { margin-bottom: 0.5rem; }
  .rows thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .rows tr { display: grid; border-bottom: 1px solid var(--line); padding: 0.35rem 0; }
  .rows :is(th, td) { border: 0; padding: 0.1rem 0.75rem; }
  .rows td[data-label]::before { content: attr(data-label) ': '; color: var(--faint); font-weight: 400; }
  .diff tr { grid-template-columns: 1fr 1fr; }
  .diff td:last-child { order: -1; text-align: right; }
  .diff th { order: -2; }
  .diff td:last-child::before { content: none; }
  .diff td[data-label]::before { display: block; font-size: 0.85rem; }
  .calls td:nth-child(3)::before { content: 'Paid: '; color: var(--faint); }
  .calls td:nth-child(4)::before { content: 'HTTP: '; color: var(--faint); }
  .calls td:nth-child(5)::before { content: 'Took: '; color: var(--faint); }
  .calls td:nth-child(6)::before { content: 'Settlement: '; color: var(--faint); }
  .calls td:empty { display: none; }
  .steps tr { grid-template-columns: minmax(0, 1fr) 6.5rem; }
  .diff .different { box-shadow: inset 4px 0 0 var(--skip); }
  .diff .different th:first-child { box-shadow: none; }
  .steps td:last-child { white-space: normal; }
  .steps .fail code { display: none; }
}
`;
