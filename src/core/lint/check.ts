import type { Level } from './finding.ts';

/** What has to be seen before a check means anything. */
export type Need =
  | 'outcome'
  | 'answer'
  | 'paywall'
  /** A document of terms that can be read. */
  | 'terms'
  | 'headers'
  | 'url'
  | 'resource'
  | 'looks'
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
