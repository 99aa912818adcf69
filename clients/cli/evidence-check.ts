/** The check of evidence. In a checkout it is the package beside the clients; `npm run pack:clients` puts it into `./check`. */
export * from '../../packages/evidence-check/index.ts'
