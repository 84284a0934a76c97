import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeCheckRaces } from './describe-check-races.ts';
import { describeCheckWrites } from './describe-check-writes.ts';
import { describeProbeCache } from './describe-probe-cache.ts';
import { describeTargetSlots } from './describe-target-slots.ts';

const newPostgresPlace = usePostgres();

describeProbeCache('SQLite', newSqlitePlace);
describeProbeCache('PostgreSQL', newPostgresPlace);
describeCheckWrites('SQLite', newSqlitePlace);
describeCheckWrites('PostgreSQL', newPostgresPlace);
describeCheckRaces('SQLite', newSqlitePlace);
describeCheckRaces('PostgreSQL', newPostgresPlace);
describeTargetSlots('SQLite', newSqlitePlace);
describeTargetSlots('PostgreSQL', newPostgresPlace);
