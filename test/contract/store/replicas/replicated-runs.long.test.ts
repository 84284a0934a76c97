import { describe } from 'vitest';
import { CAN_REPLICATE, useReplicated } from '../../../support/storing/replicated.ts';
import { describePublishedRuns } from '../crawl/describe-published-runs.ts';
import { describeRunParts } from '../crawl/describe-run-parts.ts';
import { describeSkipViews } from '../crawl/describe-skip-views.ts';

describe.runIf(CAN_REPLICATE)('what pages read', () => {
  const { newPlace } = useReplicated();
  describePublishedRuns('a standby of PostgreSQL', newPlace);
  describeRunParts('a standby of PostgreSQL', newPlace);
  describeSkipViews('a standby of PostgreSQL', newPlace);
});
