/** The bodies of the public API, as every program that calls it has them. */
export type * from '../../../clients/typescript/src/bodies.ts'
