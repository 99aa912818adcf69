import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { App } from '../../app.ts'
import { readEvidencePack } from '../../resolution/index.ts'
import { evidenceUri } from './answers/evidence.ts'
import type { Agent } from './authenticate.ts'
import { formatEvidence } from './evidence-text.ts'
import { describeFailure } from './failure.ts'

const ID_LENGTH_MAX = 64

/** The evidence pack of an answer. Its id is the permission, as over the REST API: only the accounts that asked know it. */
export function addResources(app: App, server: McpServer, agent: Agent): void {
  const template = new ResourceTemplate(evidenceUri('{id}'), { list: undefined })
  const description =
    'Why an answer is what it is: every quotation with its page and time, the register’s record then and now, how it ' +
    'was weighed, and the other companies that the site names. Free.'
  const about = { title: 'Evidence pack of an answer', description, mimeType: 'text/markdown' }
  server.registerResource('evidence', template, about, async (uri, { id }) => {
    const text = await readEvidence(app, String(id), agent)
    if (text === null) throw new ResourceNotFoundError(uri.href)
    return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] }
  })
}

async function readEvidence(app: App, resolutionId: string, agent: Agent): Promise<string | null> {
  if (resolutionId.length > ID_LENGTH_MAX) return null
  try {
    const { accountId, mode } = agent
    const pack = await readEvidencePack(app, { resolutionId, accountId, mode, whyNot: null })
    return pack && formatEvidence(pack, app.clock.now())
  } catch (error) {
    // The client gets the message of this error word for word.
    throw new ProtocolError(ProtocolErrorCode.InternalError, describeFailure(app, error, agent).text)
  }
}
