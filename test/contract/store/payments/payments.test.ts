import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describePaymentAttempts } from './describe-payment-attempts.ts';
import { describePaymentClaims } from './describe-payment-claims.ts';
import { describePaymentDelivery } from './describe-payment-delivery.ts';
import { describePaymentLedger } from './describe-payment-ledger.ts';
import { describePaymentPruning } from './describe-payment-pruning.ts';
import { describePaymentSends } from './describe-payment-sends.ts';
import { describeQuotes } from './describe-quotes.ts';

const newPostgresPlace = usePostgres();

describePaymentClaims('SQLite', newSqlitePlace);
describePaymentClaims('PostgreSQL', newPostgresPlace);
describePaymentAttempts('SQLite', newSqlitePlace);
describePaymentAttempts('PostgreSQL', newPostgresPlace);
describePaymentLedger('SQLite', newSqlitePlace);
describePaymentLedger('PostgreSQL', newPostgresPlace);
describePaymentPruning('SQLite', newSqlitePlace);
describePaymentPruning('PostgreSQL', newPostgresPlace);
describePaymentDelivery('SQLite', newSqlitePlace);
describePaymentDelivery('PostgreSQL', newPostgresPlace);
describePaymentSends('SQLite', newSqlitePlace);
describePaymentSends('PostgreSQL', newPostgresPlace);
describeQuotes('SQLite', newSqlitePlace);
describeQuotes('PostgreSQL', newPostgresPlace);
