/** A request with its example values in three languages. */
import type { Endpoint } from './document.ts'

interface Call {
  method: string
  url: string
  headers: Array<readonly [name: string, value: string]>
  body: unknown
  /** False where the answer is a page, a file or a redirect. */
  answersJson: boolean
}

export function toCall({ method, path, operation }: Endpoint, origin: string): Call {
  const parameters = operation.parameters ?? []
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
  const search = new URLSearchParams(
    Object.fromEntries(query.map(({ name, example }) => [name, String(example)])),
  ).toString()
  const filled = (path ?? '').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const found = parameters.find((parameter) => parameter.name === name)
    return encodeURIComponent(found?.example ?? name)
  })
  const body = operation.requestBody?.content['application/json']?.example
  return {
    method,
    url: `${origin}${filled}${search === '' ? '' : `?${search}`}`,
    headers: [...credentialOf(operation.security), ...(body === undefined ? [] : [JSON_TYPE])],
    body,
    answersJson: Object.entries(operation.responses).some(
      ([status, { content = {} }]) => status.startsWith('2') && Object.keys(content)[0] === 'application/json',
    ),
  }
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const

function credentialOf(security: Endpoint['operation']['security'] = []): Call['headers'] {
  const first = security.find((one) => Object.keys(one).length > 0)
  if (first === undefined) return []
  return 'apiKey' in first ? [['X-API-Key', '$NAMEPLATE_API_KEY']] : [['Authorization', 'Bearer $NAMEPLATE_TOKEN']]
}

const INDENT = 2

export function toCurl({ method, url, headers, body }: Call): string {
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`,
    ...headers.map(([name, value]) => `  -H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`  -d '${JSON.stringify(body, null, INDENT).replaceAll("'", `'\\''`)}'`]),
  ]
  return parts.join(' \\\n')
}

export function toJavaScript({ method, url, headers, body, answersJson }: Call): string {
  const lines = headers.map(([name, value]) => `    '${name}': ${inJavaScript(value)},`)
  const sent = body === undefined ? [] : [`  body: JSON.stringify(${indent(JSON.stringify(body, null, INDENT), 1)}),`]
  const options = [`  method: '${method}',`, ...(lines.length > 0 ? ['  headers: {', ...lines, '  },'] : []), ...sent]
  return [
    `const response = await fetch('${url}', {`,
    ...options,
    '})',
    `console.log(await response.${answersJson ? 'json' : 'text'}())`,
  ].join('\n')
}

const inJavaScript = (value: string): string =>
  value.includes('$') ? `\`${value.replaceAll(/\$(\w+)/g, '${process.env.$1}')}\`` : `'${value}'`

export function toPython({ method, url, headers, body, answersJson }: Call): string {
  const lines = headers.map(([name, value]) => `        "${name}": ${inPython(value)},`)
  const parts = [
    ...(lines.length > 0 ? ['    headers={', ...lines, '    },'] : []),
    ...(body === undefined ? [] : [`    json=${indent(toPythonValue(body), 2)},`]),
  ]
  const call = [`response = requests.request(`, `    "${method}",`, `    "${url}",`, ...parts, ')']
  return ['import os', 'import requests', '', ...call, `print(response.${answersJson ? 'json()' : 'text'})`].join('\n')
}

const inPython = (value: string): string =>
  value.includes('$') ? `f"${value.replaceAll(/\$(\w+)/g, "{os.environ['$1']}")}"` : `"${value}"`

/** JSON with the words of Python for true, false and null. No example has such a word as a whole string. */
function toPythonValue(value: unknown): string {
  return JSON.stringify(value, null, 4).replaceAll(/(?<=^\s*(?:"[^"]*": )?)(true|false|null)(?=,?$)/gm, (word) =>
    word === 'null' ? 'None' : word === 'true' ? 'True' : 'False',
  )
}

const indent = (text: string, levels: number): string => text.replaceAll('\n', `\n${'  '.repeat(levels)}`)
