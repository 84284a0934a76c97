import { expect, it } from 'vitest';
import { A_WITNESS, aPurchase } from '../../../test/support/guarding/buyers/purchases.ts';
import { NOON } from '../../../test/support/running/command-line.ts';
import { createPaint } from '../show/paint.ts';
import { purchaseCard } from './purchase-card.ts';

it('a purchase that a snapshot vouched for says of which day it is', () => {
  const witness = {
    ...A_WITNESS,
    service: 'assay.example/log',
    receiptId: null,
    permalink: null,
    snapshot: 'ab'.repeat(32),
  };
  const card = purchaseCard(aPurchase({ id: 'pur_1', witness }), {
    paint: createPaint(false),
    columns: 100,
    now: NOON,
  });
  expect(card.filter((line) => /^ {2}(?:by|receipt|snapshot) /.test(line))).toEqual([
    '  by        the rules here, and assay.example/log',
    '  snapshot  as seen on 2026-11-18',
  ]);
});
