/** Writes docs/openapi.json from the running code's schemas. With `--check`, fails when the committed file differs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeApi } from './describe-api.ts'

const FILE = join(import.meta.dirname, '../docs/openapi.json')

const document = await describeApi()
if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== document) {
    console.error('docs/openapi.json is not what the code says. Run: npm run openapi')
    process.exitCode = 1
  }
} else {
  writeFileSync(FILE, document)
  console.log(`wrote ${FILE}`)
}
