import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { fromBuffer } from 'yauzl'
import { writeZip, type ZipEntry } from './zip-writer.ts'

async function* listEntries(entries: ZipEntry[]): AsyncGenerator<ZipEntry> {
  yield* entries
}

function readZip(file: Buffer): Promise<Array<[name: string, content: string, at: string]>> {
  return new Promise((resolve, reject) => {
    fromBuffer(file, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => {
      if (error) return reject(error)
      const found: Array<[string, string, string]> = []
      zip.on('entry', (entry) => {
        zip.openReadStream(entry, (failure, stream) => {
          if (failure) return reject(failure)
          let content = ''
          const at = entry.getLastModDate({ timezone: 'UTC' }).toISOString()
          stream.setEncoding('utf8').on('data', (piece: string) => (content += piece))
          stream.on('end', () => {
            found.push([entry.fileName, content, at])
            zip.readEntry()
          })
        })
      })
      zip.on('end', () => resolve(found)).on('error', reject)
      zip.readEntry()
    })
  })
}

test('what is written is what another library reads: names of all scripts, empty files, times', async () => {
  const at = new Date('2026-11-18T09:30:12.000Z')
  const entries = [
    { name: 'one.txt', at, content: Buffer.from('one') },
    { name: 'пример – 例.txt', at, content: Buffer.alloc(0) },
    { name: 'folder/large.bin', at, content: Buffer.alloc(100_000, 'a') },
  ]
  const file = await buffer(writeZip(listEntries(entries)))
  expect(await readZip(file)).toEqual(entries.map(({ name, content }) => [name, content.toString(), at.toISOString()]))
})

test('a file without entries is one', async () => {
  expect(await readZip(await buffer(writeZip(listEntries([]))))).toEqual([])
})
