/** What a ledger rejects with. The message is ours; what a database or the system said is its cause. */
export class LedgerFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LedgerFault';
  }
}
