import type { Level } from './finding.ts';

/** What has to be seen before a check means anything. */
export type Need =
  | 'answer'
  | 'paywall'
  | 'headers'
  | 'url'
  | 'browser'
  | 'preflight'
  | 'head'
  | 'openapi'
  | 'well_known';

export interface Check {
  readonly level: Level;
  readonly needs: Need;
  readonly problem: string;
  readonly fix: string;
}
