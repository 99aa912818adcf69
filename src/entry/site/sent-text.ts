/** The bytes in a form that a browser sends: from a file or a text field. */

const PARTS_MAX = 10
const NOTHING = Buffer.alloc(0)

/** Returns the first part that is not empty of a form with files; the field `text` of another form; or else the whole body. */
export function readSentBytes(body: Buffer, contentType: string): Buffer {
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    return readField(body.toString('latin1'))
  }
  const boundary = /^multipart\/form-data;.*?boundary="?([^";]{1,70})"?/i.exec(contentType)?.[1]
  return boundary === undefined ? body : firstPart(body, boundary)
}

const FIELD = 'text='

/** By hand: `URLSearchParams` takes minutes for a million fields. */
function readField(form: string): Buffer {
  const at = form.startsWith(FIELD) ? 0 : form.indexOf(`&${FIELD}`) + 1
  if (!form.startsWith(FIELD, at)) return NOTHING
  const end = form.indexOf('&', at)
  const value = form.slice(at + FIELD.length, end === -1 ? undefined : end)
  try {
    return Buffer.from(decodeURIComponent(value.replaceAll('+', ' ')), 'utf8')
  } catch {
    return NOTHING
  }
}

function firstPart(body: Buffer, boundary: string): Buffer {
  const mark = Buffer.from(`--${boundary}`)
  let from = body.indexOf(mark)
  for (let part = 0; part < PARTS_MAX && from >= 0; part += 1) {
    const start = body.indexOf('\r\n\r\n', from)
    const end = body.indexOf(mark, from + mark.length)
    if (start < 0 || end < 0 || start > end) return NOTHING
    const content = body.subarray(start + 4, end - 2)
    if (content.some((byte) => byte > 0x20)) return content
    from = end
  }
  return NOTHING
}
