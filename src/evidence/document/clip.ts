import type { Room } from './room.ts'

/** Cuts a text to at most so many characters, with a mark where it was cut. Spaces and line ends become one space. */
export function clip(text: string, max: number): string {
  // A page may have megabytes of spaces; what is far behind the cut is never looked at.
  const [kept, rest] = [text.slice(0, max * 4), text.slice(max * 4)]
  const clean = kept.replaceAll(/\s+/g, ' ')
  if (clean.length <= max && rest === '') return clean
  return `${clean
    .slice(0, Math.max(0, Math.floor(max) - 4))
    .toWellFormed()
    .replace(/\ufffd$/, '')} […]`
}

export type Cut = typeof clip

/** Cuts to the share of the characters that there is room for. */
export function cutterOf({ share }: Room): Cut {
  return (text, max) => clip(text, Math.ceil(max * share))
}
