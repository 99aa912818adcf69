/** Text as bytes of the charset a site announces; Node itself can only write a few of them. */

export function encodeText(text: string, charset: string): Buffer {
  const { encoding } = new TextDecoder(charset)
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8')
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  const byteOf = byteTable(encoding)
  return Buffer.from(Array.from(text, (character) => byteOf.get(character) ?? 0x3f))
}

/** A charset of single bytes, turned round: what each of them decodes to leads back to it. */
function byteTable(encoding: string): Map<string, number> {
  const characters = Array.from(new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)))
  if (characters.length !== 256) throw new Error(`Text in ${encoding} must be given as bytes.`)
  return new Map(characters.map((character, byte) => [character, byte]))
}
