/** Describes what is wrong with a member of the input, in words that say what to send. */
import { z } from 'zod'

const UNITS: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
}

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a JSON object',
  record: 'a JSON object',
  array: 'a list',
  date: 'a date',
  null: 'null',
}

const FORMATS: Record<string, string> = {
  email: 'must be an e-mail address',
  url: 'must be a web address',
  date: 'must be a date as YYYY-MM-DD',
  datetime: 'must be a time as YYYY-MM-DDThh:mm:ssZ',
  uuid: 'must be a UUID',
  regex: 'has the wrong format',
}

const VALUES_SHOWN_MAX = 40

type Issue = z.core.$ZodRawIssue

/** A sentence for each kind of problem that a schema can find. A schema's own words come before these. */
export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, issue.input)
    case 'invalid_value':
      return describeValues(issue.values)
    case 'too_big':
      return describeBound(issue, 'at most', issue.maximum)
    case 'too_small':
      return describeBound(issue, 'at least', issue.minimum)
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has the wrong format'
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `has members that are not known: ${issue.keys.slice(0, VALUES_SHOWN_MAX).join(', ')}`
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'is not valid'
  }
}

function describeType(expected: string, input: unknown): string {
  if (input === undefined) return 'is missing'
  return `must be ${KINDS[expected] ?? expected}`
}

function describeValues(values: readonly unknown[]): string {
  const shown = values.slice(0, VALUES_SHOWN_MAX).map(String)
  if (shown.length === 1) return `must be ${shown[0]}`
  return `must be one of ${shown.join(', ')}${values.length > shown.length ? ', …' : ''}`
}

function describeBound(
  issue: { origin: string; inclusive?: boolean | undefined; exact?: boolean | undefined },
  relation: 'at most' | 'at least',
  bound: number | bigint,
): string {
  const unit = UNITS[issue.origin]
  const how = issue.exact ? 'exactly' : relation
  if (unit) return `must have ${how} ${bound} ${Number(bound) === 1 ? unit[0] : unit[1]}`
  if (issue.inclusive === false) return `must be ${relation === 'at most' ? 'less' : 'more'} than ${bound}`
  return `must be ${how} ${bound}`
}

/** From here on every schema of this process speaks so. */
export function usePlainWords(): void {
  z.config({ customError: describeIssue })
}
