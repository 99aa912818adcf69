import type { KeyboardEvent } from 'react'

/** Moves the focus up and down through the elements marked with `data-stop`: the field, then its results. */
export function stepWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (way === undefined) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-stop]')]
  const at = stops.findIndex((stop) => stop === event.target)
  const next = at < 0 ? undefined : stops[at + way]
  if (!next) return
  next.focus()
  event.preventDefault()
}
