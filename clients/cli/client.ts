/** The client that every command uses. In a checkout it is the source; in the package this line imports `@nameplate/client`. */
export * from '../typescript/src/index.ts'
