import leven from 'leven';

/** The name that was probably meant, if one is near: a third of its letters may differ, in short names two. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, distance: leven(name, candidate, { maxDistance: name.length }) }))
    .sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(2, best.candidate.length / 3) ? best.candidate : undefined;
}
