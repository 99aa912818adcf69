/** Writes docs/openapi.json from the running code's schemas, and from that the types of its bodies for both clients. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeTypes } from './api-types.ts'
import { describePythonTypes } from './api-types-python.ts'
import { describeApi } from './describe-api.ts'

const document = await describeApi()
write('docs/openapi.json', document)
write('clients/typescript/src/bodies.ts', describeTypes(document))
write('clients/python/nameplate/bodies.py', describePythonTypes(document))

function write(file: string, text: string): void {
  writeFileSync(join(import.meta.dirname, '..', file), text)
  console.log(`wrote ${file}`)
}
