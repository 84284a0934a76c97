/** The store could not be read or written. Then nothing is served that must be counted or stored (gap G10). */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}
