/** What the log has of a receipt that an operator has moved into an archive. */
export function retiredStub(id: string, sha256: string) {
  return { assay: 'retired/1', id, sha256 } as const;
}
