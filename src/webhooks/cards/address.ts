/** Addresses of Slack and Teams. Such an address is a secret: anyone who knows it can write to the channel. */

export const DESTINATION_KINDS = ['webhook', 'slack', 'teams'] as const
export type DestinationKind = (typeof DESTINATION_KINDS)[number]
export type CardKind = Exclude<DestinationKind, 'webhook'>

/** Only these hosts are taken, so that messages for people go to no other, and a mistyped address is refused with the reason. */
const SLACK_HOST = /^hooks\.slack\.com\.?$/
const SLACK_PATH = /^\/services\/[\w-]+\/[\w-]+\/[\w-]+$/
const TEAMS_HOSTS = [/^[\w.-]+\.api\.powerplatform\.com$/, /^[\w.-]+\.logic\.azure\.com$/]
const TEAMS_PATH = /^\/(?:[\w-]+\/)*workflows\/[\w-]+\/triggers\/[\w%.-]+\/paths\/invoke$/
/** Microsoft has switched these off in favour of workflows. */
const RETIRED_TEAMS_HOST = /(?:^|\.)office(?:365)?\.com$/

const SLACK_EXAMPLE = 'must be the address of an incoming webhook: https://hooks.slack.com/services/…'
const SLACK_AS_WEBHOOK = 'must have `"kind": "slack"`, because it is an incoming webhook of Slack.'
const TEAMS_EXAMPLE =
  'must be the address of a Teams workflow, as Teams shows it: https://….api.powerplatform.com/…/workflows/…/triggers/manual/paths/invoke?…&sig=…'
const TEAMS_RETIRED =
  'must be the address of a workflow: Teams no longer has incoming webhooks of connectors. Make a workflow in the channel.'
const TEAMS_UNSIGNED =
  'must have a `sig`: without it, the workflow takes requests of your organisation alone. Let anyone trigger it, and copy its address again.'

/** Returns what is wrong with the address of a destination of this kind; null when nothing is. */
export function findAddressProblem(kind: DestinationKind, address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null
  if (kind === 'webhook') return url && isOfSlack(url) ? SLACK_AS_WEBHOOK : null
  const isPlain =
    url?.protocol === 'https:' &&
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    !url.href.includes('#')
  if (kind === 'slack') return url && isPlain && isSlack(url) ? null : SLACK_EXAMPLE
  if (url && RETIRED_TEAMS_HOST.test(url.hostname)) return TEAMS_RETIRED
  const isWorkflow =
    url !== null && TEAMS_HOSTS.some((host) => host.test(url.hostname)) && TEAMS_PATH.test(url.pathname)
  if (!isPlain || !isWorkflow) return TEAMS_EXAMPLE
  return url.searchParams.get('sig') ? null : TEAMS_UNSIGNED
}

/** With nothing added that Slack would ignore: one channel has one address. */
function isSlack({ hostname, pathname, href }: URL): boolean {
  return href === `https://hooks.slack.com${pathname}` && SLACK_HOST.test(hostname) && SLACK_PATH.test(pathname)
}

/** Also where it is written in another way, and so is no address to take, but still a secret. */
function isOfSlack({ hostname, pathname }: URL): boolean {
  return SLACK_HOST.test(hostname) && pathname.startsWith('/services/')
}

const SHOWN_CHARACTERS = 6

/** Returns the address as it is shown, logged and sent by e-mail: its host, and the end of its secret. */
export function maskAddress(address: string): string {
  const { origin, href } = new URL(address)
  return `${origin}/...${encodeURIComponent(href.slice(-SHOWN_CHARACTERS))}`
}

/** Shorter parts, such as `v1` or `manual`, are no secrets, and occur in every text. */
const SECRET_LENGTH_MIN = 8
const HIDDEN = '[hidden]'

/** The end of a longer response may be cut inside of a secret. */
const TEXT_MAX = 1_000

/** Returns the beginning of a response of the service, without any part of the address that could be its secret. */
export function hideAddress(text: string, address: string): string {
  const { href, pathname, search, searchParams } = new URL(address)
  const parts = [
    address,
    href,
    `${pathname}${search}`,
    ...pathname.split('/'),
    ...searchParams.values(),
    ...search.split(/[?&=]/),
  ]
  const secrets = new Set(parts.flatMap((part) => [part, safeDecode(part)]))
  const longestFirst = [...secrets].filter(isSecret).toSorted((one, other) => other.length - one.length)
  // Percent codes are the same in capitals and small letters.
  const hidden = longestFirst.reduce(
    (left, secret) => left.replaceAll(new RegExp(RegExp.escape(secret), 'gi'), HIDDEN),
    text,
  )
  return longestFirst.reduce(hideCutEnd, hidden).slice(0, TEXT_MAX)
}

/** The response may have been cut in the middle of a secret. */
function hideCutEnd(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= SECRET_LENGTH_MIN; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${HIDDEN}`
  }
  return text
}

const PLAIN_WORDS = new Set(['services', 'workflows', 'triggers', 'automations', 'powerautomate', 'api-version'])

function isSecret(part: string): boolean {
  return part.length >= SECRET_LENGTH_MIN && !PLAIN_WORDS.has(part)
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
