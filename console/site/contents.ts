/** Marks the part of the page that is read in the list of contents. */
export function followContents(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.contents a')]
  if (links.length === 0) return
  const byId = new Map(links.map((link) => [decodeURIComponent(link.hash.slice(1)), link]))
  const watcher = new IntersectionObserver(
    (entries) => {
      const first = entries.find(({ isIntersecting }) => isIntersecting)
      if (!first) return
      for (const link of links) link.removeAttribute('aria-current')
      byId.get(first.target.id)?.setAttribute('aria-current', 'true')
    },
    { rootMargin: '-15% 0px -70% 0px' },
  )
  for (const id of byId.keys()) {
    const heading = document.getElementById(id)
    if (heading) watcher.observe(heading)
  }
}
