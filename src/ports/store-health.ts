/** How well the store is, for whoever decides whether callers may be sent here. */
export interface StoreHealth {
  /** Writes something, makes it durable and leaves nothing behind; throws when that is not possible. */
  write(): Promise<void>;
  /** Whether the tables are those of this program. A newer one has only added to them; an older one lacks some. */
  schema(): Promise<SchemaState>;
}

export type SchemaState = 'ok' | 'newer' | 'older';
