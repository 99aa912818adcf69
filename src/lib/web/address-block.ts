/**
 * Network addresses as limits count them. An IPv6 user has at least a /64 and easily a /48, so a limit by whole
 * addresses would be no limit.
 */

/** The address of IPv4, also when it is written as IPv6; the /64 of IPv6. */
export function toAddressBlock(ip: string): string {
  const groups = findGroups(ip)
  return Array.isArray(groups) ? `${groups.slice(0, 4).join(':')}::/64` : groups
}

/** The /48 of IPv6; null for IPv4, whose neighbours have nothing to do with each other. */
export function findSiteBlock(ip: string): string | null {
  const groups = findGroups(ip)
  return Array.isArray(groups) ? `${groups.slice(0, 3).join(':')}::/48` : null
}

/** The eight groups of IPv6, or the text of IPv4. */
function findGroups(ip: string): string[] | string {
  const [plain = ''] = ip.split('%')
  const dotted = /^(?:::ffff:(?:0:)?|64:ff9b::)?(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (dotted !== undefined) return dotted
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - front.length - back.length
  const all = [...front, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...back].map((group) =>
    Number.parseInt(group, 16).toString(16),
  )
  return findMapped(all) ?? all
}

/** IPv4 in the last two groups, in hexadecimal: `::ffff:cb00:7109`. */
function findMapped(groups: readonly string[]): string | null {
  const isMapped = groups.length === 8 && groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff'
  if (!isMapped) return null
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.')
}
