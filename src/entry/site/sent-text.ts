/** The text in a form that a browser sends: from a file or a text field. */

const PARTS_MAX = 10

/** Returns the first part that is not empty of a form with files; the field `text` of another form; or else the whole body. */
export function readSentText(body: Buffer, contentType: string): string {
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    return new URLSearchParams(body.toString('utf8')).get('text') ?? ''
  }
  const boundary = /^multipart\/form-data;.*?boundary="?([^";]{1,70})"?/i.exec(contentType)?.[1]
  return boundary === undefined ? body.toString('utf8') : firstPart(body, boundary)
}

function firstPart(body: Buffer, boundary: string): string {
  const mark = Buffer.from(`--${boundary}`)
  let from = body.indexOf(mark)
  for (let part = 0; part < PARTS_MAX && from >= 0; part += 1) {
    const start = body.indexOf('\r\n\r\n', from)
    const end = body.indexOf(mark, from + mark.length)
    if (start < 0 || end < 0 || start > end) return ''
    const text = body.subarray(start + 4, end - 2).toString('utf8')
    if (text.trim() !== '') return text
    from = end
  }
  return ''
}
