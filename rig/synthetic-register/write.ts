/** Writes a synthetic register: `node rig/synthetic-register/write.ts <path> <rows> <edition>`. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { HEADER, syntheticRows } from './rows.ts'

const [path = '', rows = '0', edition = '1'] = process.argv.slice(2)

await pipeline(Readable.from(inBlocks()), createWriteStream(path))

function* inBlocks(): Generator<string> {
  let block = `${HEADER}\n`
  for (const line of syntheticRows(Number(rows), 1, { edition: Number(edition) })) {
    block += line
    if (block.length < 1 << 20) continue
    yield block
    block = ''
  }
  yield block
}
