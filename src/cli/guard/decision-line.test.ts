import { expect, it } from 'vitest';
import type { Decision } from '../../guard/guard-options.ts';
import { decisionLine } from './decision-line.ts';

const CALL = {
  at: new Date('2026-11-15T12:00:00.000Z'),
  method: 'GET',
  url: 'https://seller.example/\u001b[2J',
};
const TERMS = {
  network: 'eip155:8453',
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  amount: '10000',
  payTo: '0x2222222222222222222222222222222222222222',
};

it.each<[Decision, string]>([
  [
    { kind: 'approved', ...CALL, purchaseId: 'pur_1', terms: TERMS },
    '12:00:00 approved: GET https://seller.example/?[2J, $0.01 to 0x2222…222222 (pur_1)',
  ],
  [
    { kind: 'asked_again', ...CALL, purchaseId: 'pur_1', terms: TERMS },
    '12:00:00 the seller asked for payment again; nothing more is paid: GET https://seller.example/?[2J, $0.01 to 0x2222…222222 (pur_1)',
  ],
  [
    { kind: 'refused', ...CALL, purchaseId: null, code: 'over_day_limit' },
    '12:00:00 refused over_day_limit: GET https://seller.example/?[2J',
  ],
  [
    { kind: 'refused', ...CALL, purchaseId: 'pur_1', code: 'outcome_unknown' },
    '12:00:00 refused outcome_unknown: GET https://seller.example/?[2J (pur_1)',
  ],
])('a decision is one line: %#', (decision, line) => {
  expect(decisionLine(decision)).toBe(line);
});
