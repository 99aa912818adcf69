/** The rules of Teams for a message with an Adaptive Card, of the elements that we use. */
export const TEAMS_BYTES_MAX = 28 * 1024

interface Element {
  type?: unknown
  inlines?: Inline[]
}
interface Inline {
  type?: unknown
  text?: unknown
  selectAction?: Action
}
interface Action {
  type?: unknown
  url?: unknown
  title?: unknown
}
interface Card {
  type?: unknown
  version?: unknown
  body?: Element[]
  actions?: Action[]
}
interface Message {
  type?: unknown
  attachments?: Array<{ contentType?: unknown; contentUrl?: unknown; content?: Card }>
}

/** Returns what is wrong; null when nothing is. */
export function findTeamsProblem(body: string): string | null {
  let message: Message
  try {
    message = JSON.parse(body) as Message
  } catch {
    return 'InvalidJson'
  }
  const [attachment, ...more] = message.attachments ?? []
  if (message.type !== 'message' || !attachment || more.length > 0) return 'BadRequest: attachments'
  if (attachment.contentType !== 'application/vnd.microsoft.card.adaptive') return 'BadRequest: contentType'
  const { content } = attachment
  if (content?.type !== 'AdaptiveCard' || !/^1\.[0-5]$/.test(String(content.version))) return 'BadRequest: card'
  if (!Array.isArray(content.body) || content.body.length === 0) return 'BadRequest: body'
  if (!content.body.every(isElement)) return 'BadRequest: element'
  return (content.actions ?? []).every((action) => isOpenUrl(action) && typeof action.title === 'string')
    ? null
    : 'BadRequest: action'
}

function isElement({ type, inlines }: Element): boolean {
  return type === 'RichTextBlock' && Array.isArray(inlines) && inlines.length > 0 && inlines.every(isRun)
}

function isRun({ type, text, selectAction }: Inline): boolean {
  return type === 'TextRun' && typeof text === 'string' && (selectAction === undefined || isOpenUrl(selectAction))
}

function isOpenUrl({ type, url }: Action): boolean {
  return type === 'Action.OpenUrl' && typeof url === 'string' && URL.canParse(url)
}
