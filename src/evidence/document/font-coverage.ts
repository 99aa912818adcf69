/** Which characters a typeface can show: the table `cmap` of a TrueType file. The files are ours, so they are as they must be. */

type Range = readonly [first: number, last: number]

/** Returns true for a character that one of the typefaces has. */
export function openCoverage(fonts: readonly Buffer[]): (codePoint: number) => boolean {
  const has = new Uint8Array(0x110000 / 8)
  for (const font of fonts) {
    for (const [first, last] of rangesOf(font)) {
      for (let point = first; point <= Math.min(last, 0x10ffff); point += 1) {
        has[point >> 3] = (has[point >> 3] ?? 0) | (1 << (point & 7))
      }
    }
  }
  return (point) => ((has[point >> 3] ?? 0) & (1 << (point & 7))) !== 0
}

function rangesOf(font: Buffer): Range[] {
  const cmap = findTable(font, 'cmap')
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) => cmap.readUInt32BE(4 + index * 8 + 4))
  return subtables.flatMap((offset) => {
    const subtable = cmap.subarray(offset)
    const format = subtable.readUInt16BE(0)
    return format === 12 ? rangesOf12(subtable) : format === 4 ? rangesOf4(subtable) : []
  })
}

function findTable(font: Buffer, name: string): Buffer {
  const count = font.readUInt16BE(4)
  for (let index = 0; index < count; index += 1) {
    const at = 12 + index * 16
    if (font.toString('latin1', at, at + 4) !== name) continue
    const start = font.readUInt32BE(at + 8)
    return font.subarray(start, start + font.readUInt32BE(at + 12))
  }
  throw new Error(`a typeface has no table ${name}`)
}

function rangesOf12(table: Buffer): Range[] {
  return Array.from({ length: table.readUInt32BE(12) }, (_, index) => {
    const at = 16 + index * 12
    return [table.readUInt32BE(at), table.readUInt32BE(at + 4)] as const
  })
}

function rangesOf4(table: Buffer): Range[] {
  const segments = table.readUInt16BE(6) / 2
  return Array.from({ length: segments }, (_, index) => {
    const last = table.readUInt16BE(14 + index * 2)
    const first = table.readUInt16BE(16 + segments * 2 + index * 2)
    // The last segment is the mark of the end.
    return last === 0xffff ? ([1, 0] as const) : ([first, last] as const)
  })
}
