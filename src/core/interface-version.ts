/** The version of the interface that docs/interface.md describes; the package has a version of its own (gap G88). */
export const INTERFACE_VERSION = '0.16.1';
