import type { Migration } from './step.ts';
import { firstTables } from './steps/01-first-tables.ts';
import { runsPaymentsJobs } from './steps/02-runs-payments-jobs.ts';
import { quotesAndLapsedPayments } from './steps/03-quotes-and-lapsed-payments.ts';
import { attribution } from './steps/04-attribution.ts';
import { crawlWork } from './steps/05-crawl-work.ts';
import { skipFilters } from './steps/06-skip-filters.ts';
import { probePlaces } from './steps/07-probe-places.ts';
import { countersTogether } from './steps/08-counters-together.ts';
import { targetSlots } from './steps/09-target-slots.ts';
import { secretFingerprint } from './steps/10-secret-fingerprint.ts';
import { listedReceipts } from './steps/11-listed-receipts.ts';
import { paymentSendsAndDelivery } from './steps/12-payment-sends-and-delivery.ts';
import { receiptSpellings } from './steps/13-receipt-spellings.ts';
import { openEndpoints } from './steps/14-open-endpoints.ts';
import { sellers } from './steps/15-sellers.ts';
import { statements } from './steps/16-statements.ts';
import { transparencyLog } from './steps/17-transparency-log.ts';
import { snapshots } from './steps/18-snapshots.ts';
import { hostsAndPayees } from './steps/19-hosts-and-payees.ts';
import { beforeReceiptWeeks, receiptWeeks, undoBeforeReceiptWeeks } from './steps/20-receipt-weeks.ts';

/** The version of a step is its position in this list, from 1. Steps are only added at the end. */
export const HISTORY: readonly Migration[] = [
  { name: 'first-tables', up: firstTables },
  { name: 'runs-payments-jobs', up: runsPaymentsJobs },
  { name: 'quotes-and-lapsed-payments', up: quotesAndLapsedPayments },
  { name: 'attribution', up: attribution },
  { name: 'crawl-work', up: crawlWork },
  { name: 'skip-filters', up: skipFilters },
  { name: 'probe-places', up: probePlaces },
  { name: 'counters-together', up: countersTogether },
  { name: 'target-slots', up: targetSlots },
  { name: 'secret-fingerprint', up: secretFingerprint },
  { name: 'listed-receipts', up: listedReceipts },
  { name: 'payment-sends-and-delivery', up: paymentSendsAndDelivery },
  { name: 'receipt-spellings', up: receiptSpellings },
  { name: 'open-endpoints', up: openEndpoints },
  { name: 'sellers', up: sellers },
  { name: 'statements', up: statements },
  { name: 'transparency-log', up: transparencyLog },
  { name: 'snapshots', up: snapshots },
  { name: 'hosts-and-payees', up: hostsAndPayees },
  {
    name: 'receipt-weeks',
    up: receiptWeeks,
    onPostgresFirst: beforeReceiptWeeks,
    onPostgresFailed: undoBeforeReceiptWeeks,
  },
];
