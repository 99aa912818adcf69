/** Writes docs/openapi.json from the running code's schemas, and the types of its bodies from that. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeTypes } from './api-types.ts'
import { describeApi } from './describe-api.ts'

const document = await describeApi()
write('docs/openapi.json', document)
write('clients/typescript/src/bodies.ts', describeTypes(document))

function write(file: string, text: string): void {
  writeFileSync(join(import.meta.dirname, '..', file), text)
  console.log(`wrote ${file}`)
}
