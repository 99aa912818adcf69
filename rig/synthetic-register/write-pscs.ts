/** Writes a made-up file of persons with significant control: `node rig/synthetic-register/write-pscs.ts <path> <lines> <edition>`. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { syntheticPscLines } from './pscs.ts'

const [path = '', lines = '0', edition = '1'] = process.argv.slice(2)

await pipeline(Readable.from(inBlocks()), createWriteStream(path))

function* inBlocks(): Generator<string> {
  let block = ''
  for (const line of syntheticPscLines(Number(lines), { edition: Number(edition) })) {
    block += line
    if (block.length < 1 << 20) continue
    yield block
    block = ''
  }
  yield block
}
