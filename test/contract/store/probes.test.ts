import { usePostgres } from '../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../support/storing/stores.ts';
import { describeCheckRaces } from './ports/describe-check-races.ts';
import { describeCheckWrites } from './ports/describe-check-writes.ts';
import { describeProbeCache } from './ports/describe-probe-cache.ts';
import { describeTargetSlots } from './ports/describe-target-slots.ts';

const newPostgresPlace = usePostgres();

describeProbeCache('SQLite', newSqlitePlace);
describeProbeCache('PostgreSQL', newPostgresPlace);
describeCheckWrites('SQLite', newSqlitePlace);
describeCheckWrites('PostgreSQL', newPostgresPlace);
describeCheckRaces('SQLite', newSqlitePlace);
describeCheckRaces('PostgreSQL', newPostgresPlace);
describeTargetSlots('SQLite', newSqlitePlace);
describeTargetSlots('PostgreSQL', newPostgresPlace);
