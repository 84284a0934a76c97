/** The store could not be read or written. Nothing is served then that would have to be counted or kept (gap G10). */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}
