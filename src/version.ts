/** The version of the interface, as the contract states it; package.json carries the same. */
export const VERSION = '1.0.0'
