/** The API reference: a page for each group of operations, written in Markdown from the document that the schemas make. */
import type { App } from '../../../../app.ts'
import { readMarkdown, STABLE, slugOfHeading } from '../markdown.ts'
import type { DocsPage } from '../pages.ts'
import { toCall, toCurl, toJavaScript, toPython } from './calls.ts'
import {
  type ApiDocument,
  type Endpoint,
  listErrors,
  listSections,
  type Operation,
  readDocument,
  type Section,
  slugOfSection,
} from './document.ts'
import { describeMember, describeType, listFields, type Schemas } from './fields.ts'

export function readReference({ config }: Pick<App, 'config'>): DocsPage[] {
  const document = readDocument()
  const origin = config.baseUrl.origin
  const sections = listSections(document)
  const { schemas } = document.components
  return [
    toPage('api', overviewOf(document, sections, origin)),
    ...sections.map((section) => toPage(slugOfSection(section), sectionPage(section, { schemas, origin }))),
  ]
}

function toPage(slug: string, markdown: string): DocsPage {
  return { slug, words: {}, markdown, ...readMarkdown(markdown) }
}

const nameOf = ({ method, path }: Endpoint): string => (path === null ? 'webhook' : `${method} ${path}`)

function overviewOf({ info }: ApiDocument, sections: readonly Section[], origin: string): string {
  const lines = sections.map((section) => {
    const operations = section.endpoints.map(
      (endpoint) =>
        `| \`${nameOf(endpoint)}\` | [${endpoint.operation.summary}](${slugOfSection(section)}.md#${idOf(endpoint)})${labelOf(endpoint)} |`,
    )
    return [`## ${section.name}`, section.description, ['| | |', '| --- | --- |', ...operations].join('\n')].join(
      '\n\n',
    )
  })
  return [
    '# API reference',
    info.description,
    `The address is \`${origin}\`. Programs read the same as OpenAPI 3.1 at [${origin}/openapi.json](${origin}/openapi.json). [Errors](/docs/errors) are the same everywhere.`,
    ...lines,
    '',
  ].join('\n\n')
}

const labelOf = ({ operation }: Endpoint): string =>
  operation['x-stable'] ? ` [${STABLE}](changelog.md#what-we-promise)` : ''

const idOf = ({ operation }: Endpoint): string => slugOfHeading(operation.summary)

interface Setting {
  schemas: Schemas
  origin: string
}

function sectionPage({ name, description, endpoints }: Section, setting: Setting): string {
  return [`# API: ${name}`, description, ...endpoints.map((endpoint) => describeEndpoint(endpoint, setting)), ''].join(
    '\n\n',
  )
}

function describeEndpoint(endpoint: Endpoint, { schemas, origin }: Setting): string {
  const { operation, path } = endpoint
  const { summary, description = '', requestBody } = operation
  const body = requestBody?.content['application/json']
  const call = path === null ? null : toCall(endpoint, origin)
  const parts = [
    `## ${summary}`,
    path === null
      ? 'We send this to your destination.'
      : `\`${nameOf(endpoint)}\` ${describeCredentials(operation)}${labelOf(endpoint)}`,
    description === summary ? '' : description,
    parametersOf(operation, schemas),
    body?.schema ? fieldTable('Body', body.schema, schemas) : '',
    otherTypes('The body may also be', requestBody?.content),
    call === null ? fence('json', body?.example) : callFences(call),
    ...successesOf(operation, schemas),
    errorsOf(operation),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const CREDENTIALS: Record<string, string> = {
  apiKey: 'an API key',
  session: 'the token of a login',
  oauth: 'an access token of a connected program',
}

function describeCredentials({ security = [] }: Operation): string {
  const names = security.flatMap((one) => Object.keys(one)).map((name) => CREDENTIALS[name] ?? name)
  const isOptional = security.some((one) => Object.keys(one).length === 0)
  if (names.length === 0) return 'without credentials'
  return `${isOptional ? 'without credentials, or ' : ''}with ${names.join(' or ')}`
}

function parametersOf({ parameters = [] }: Operation, schemas: Schemas): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, in: location, required, schema = {}, description }) =>
    row(
      `\`${name}\``,
      `${describeType(schema, schemas)}, ${location}${required ? ', required' : ''}`,
      describeMember({ ...schema, ...(description ? { description } : {}) }, schemas),
    ),
  )
  return ['**Parameters**', table(['Name', 'Type', ''], rows)].join('\n\n')
}

function fieldTable(title: string, schema: Parameters<typeof listFields>[0], schemas: Schemas): string {
  const fields = listFields(schema, schemas)
  if (fields.length === 0) return ''
  const isBody = title === 'Body'
  const rows = fields.map(({ path, type, isRequired, description }) =>
    row(`\`${path}\``, `${type}${isBody && isRequired ? ', required' : ''}`, description),
  )
  return [`**${title}**`, table(['Member', 'Type', ''], rows)].join('\n\n')
}

function callFences(call: ReturnType<typeof toCall>): string {
  return [
    ['sh', toCurl(call)],
    ['js', toJavaScript(call)],
    ['python', toPython(call)],
  ]
    .map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\``)
    .join('\n\n')
}

function successesOf({ responses }: Operation, schemas: Schemas): string[] {
  return Object.entries(responses)
    .filter(([status]) => !/^[45]/.test(status))
    .flatMap(([status, { description, content }]) => {
      const media = content?.['application/json']
      const members = media?.schema ? fieldTable(`Response ${status}`, media.schema, schemas) : ''
      const title =
        members === '' ? `**Response ${status}**\n\n${description}` : members.replace('\n\n', `\n\n${description}\n\n`)
      return [title, otherTypes('It also comes as', content), fence('json', media?.example)]
    })
}

function otherTypes(lead: string, content: Record<string, unknown> = {}): string {
  const types = Object.keys(content).filter((type) => type !== 'application/json')
  return types.length === 0 ? '' : `${lead} ${types.map((type) => `\`${type}\``).join(' or ')}.`
}

function errorsOf(operation: Operation): string {
  const rows = listErrors(operation).map(({ status, code, meaning }) =>
    row(status, code === null ? '' : `[\`${code}\`](/docs/errors/${code})`, meaning),
  )
  return rows.length === 0 ? '' : ['**Errors**', table(['Status', 'Code', ''], rows)].join('\n\n')
}

const fence = (language: string, value: unknown): string =>
  value === undefined ? '' : `\`\`\`${language}\n${JSON.stringify(value, null, 2)}\n\`\`\``

const row = (...cells: string[]): string => `| ${cells.map(toCell).join(' | ')} |`

const toCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')

function table(heads: readonly string[], rows: readonly string[]): string {
  return [row(...heads), `|${' --- |'.repeat(heads.length)}`, ...rows].join('\n')
}
