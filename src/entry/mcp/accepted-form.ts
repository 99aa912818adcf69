/** How an answer may be sent: as one JSON body, or as a stream that can carry progress before it. */
export interface AcceptedForm {
  json: boolean
  stream: boolean
}

/** Reads `Accept`. No header accepts everything (RFC 9110 12.5.1); a weight of 0 refuses. */
export function readAcceptedForm(header: string | undefined): AcceptedForm {
  if (header === undefined || header.trim() === '') return { json: true, stream: true }
  const ranges = header.split(',', RANGES_MAX).map(parseRange)
  const accepts = (type: string) => ranges.some(({ range, weight }) => weight > 0 && isWithin(type, range))
  return { json: accepts('application/json'), stream: accepts('text/event-stream') }
}

const RANGES_MAX = 50

function parseRange(text: string): { range: string; weight: number } {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return { range, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
}

function isWithin(type: string, range: string): boolean {
  return range === type || range === '*/*' || range === `${type.split('/')[0]}/*`
}
