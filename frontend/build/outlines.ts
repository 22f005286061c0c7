// Builds the map of the states and the outline of each from the Census data in us-atlas. Paths use
// relative whole-number coordinates to stay small.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoAlbersUsa, geoConicEqualArea, geoPath } from 'd3-geo';
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import { planarRingArea, planarTriangleArea, presimplify, simplify } from 'topojson-simplify';
import type {
  GeometryCollection,
  MultiPolygon as MultiPolygonObject,
  Topology,
} from 'topojson-specification';

type Atlas = Topology<{ states: GeometryCollection<{ name: string }> }>;

/** A state on the map: its path, and the centroid of its largest part. */
export type StateShape = { d: string; x: number; y: number };

/** A single state, fitted into a square of `outlineSize` units; `lights` are its cities. */
export type Outline = { d: string; width: number; height: number; lights: [number, number][] };

/** The map's own units, as the atlas projects it. */
export const mapSize = { width: 975, height: 610 };
const outlineSize = 400;

/**
 * The minimum corner area to keep, in square units: sufficient up to 1200 px wide (map) and 480 px
 * (outline).
 */
const minCornerArea = { map: 2, outline: 5 };
/** The minimum island area to keep, in square units. */
const minIslandArea = { map: 5, outline: 40 };

function atlas(name: string): Atlas {
  return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(`us-atlas/${name}`), 'utf8'));
}

/** The projection of the atlas. */
const albers = geoAlbersUsa().scale(1300).translate([487.5, 305]);

/** Where a place is on the map; `at` is its longitude and latitude. */
export function placeOnMap(at: [number, number]): [number, number] {
  const place = albers(at);
  if (!place) throw new Error(`${at} is outside of the map`);
  return [Math.round(place[0]), Math.round(place[1])];
}

/** Every state of the map, by name. Neighbors share their simplified borders. */
export function drawMap(): Map<string, StateShape> {
  const shapes = polygonsByName(
    simplify(presimplify(atlas('states-albers-10m.json'), planarTriangleArea), minCornerArea.map),
  );
  return new Map(
    [...shapes].map(([name, polygons]) => {
      const kept = withoutSmallIslands(polygons, minIslandArea.map);
      const [x, y] = middle(kept);
      return [name, { d: path(kept), x, y }];
    }),
  );
}

/** The outline of every state, north up at its own center, with lights at the given coordinates. */
export function drawOutlines(lights: Map<string, Position[]>): Map<string, Outline> {
  const shapes = polygonsByName(atlas('states-10m.json'));
  return new Map(
    [...lights].map(([name, cities]) => [name, outline(shapes.get(name) as Position[][][], cities)]),
  );
}

function outline(whole: Position[][][], lights: Position[]): Outline {
  const first = fitted(whole);
  const seen = whole.filter((rings) => size(rings.map((ring) => ring.map(first))) >= minIslandArea.outline);
  const polygons = seen.length ? seen : whole;
  const project = fitted(polygons);
  const kept = simplified(
    polygons.map((rings) => rings.map((ring) => ring.map(project))),
    minCornerArea.outline,
  );
  const points = kept.flat(2);
  return {
    d: path(kept),
    width: Math.ceil(Math.max(...points.map(([x]) => x as number))),
    height: Math.ceil(Math.max(...points.map(([, y]) => y as number))),
    lights: lights.map((at) => project(at).map(Math.round) as [number, number]),
  };
}

/** Projects a state into the square, with its north-west corner at the origin. */
function fitted(polygons: Position[][][]): (at: Position) => Position {
  const shape: MultiPolygon = { type: 'MultiPolygon', coordinates: polygons };
  const latitudes = polygons.flat(2).map(([, latitude]) => latitude as number);
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
  const projection = geoConicEqualArea()
    .parallels([south + (north - south) / 6, north - (north - south) / 6])
    .rotate([-midLongitude(polygons), 0])
    .fitSize([outlineSize, outlineSize], shape);
  const [[left, top]] = geoPath(projection).bounds(shape);
  return (at) => {
    const [x, y] = projection(at as [number, number]) as [number, number];
    return [x - left, y - top];
  };
}

/**
 * The middle between the westernmost and easternmost point; the Aleutians cross the date line,
 * hence the turn.
 */
function midLongitude(polygons: Position[][][]): number {
  const turned = polygons.flat(2).map(([longitude]) => ((longitude as number) + 360) % 360);
  return (Math.min(...turned) + Math.max(...turned)) / 2 - 360;
}

/** Simplifies polygons: removes corners below the minimum area. */
function simplified(polygons: Position[][][], weight: number): Position[][][] {
  let count = 0;
  const arcs = polygons.map((rings) => rings.map(() => [count++]));
  const topology: Topology<{ state: MultiPolygonObject }> = {
    type: 'Topology',
    arcs: polygons.flat(),
    objects: { state: { type: 'MultiPolygon', arcs } },
  };
  const less = simplify(presimplify(topology, planarTriangleArea), weight);
  const shape = feature(less, less.objects.state) as Feature<MultiPolygon>;
  return shape.geometry.coordinates;
}

function polygonsByName(topology: Atlas): Map<string, Position[][][]> {
  const { features } = feature(topology, topology.objects.states);
  return new Map(
    features.map(({ properties, geometry }) => [properties.name, parts(geometry as Polygon | MultiPolygon)]),
  );
}

function parts(shape: Polygon | MultiPolygon): Position[][][] {
  return shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
}

function size(rings: Position[][]): number {
  return Math.abs(planarRingArea(rings[0] as [number, number][]));
}

/** The parts above the minimum area, or the largest part. */
function withoutSmallIslands(polygons: Position[][][], least: number): Position[][][] {
  const seen = polygons.filter((rings) => size(rings) >= least);
  return seen.length ? seen : [largest(polygons)];
}

function largest(polygons: Position[][][]): Position[][] {
  return polygons.reduce((best, rings) => (size(rings) > size(best) ? rings : best));
}

function middle(polygons: Position[][][]): [number, number] {
  const [x, y] = geoPath(null).centroid({ type: 'Polygon', coordinates: largest(polygons) });
  return [Math.round(x), Math.round(y)];
}

/** SVG path data: relative whole-number steps, without zero-length ones. */
function path(polygons: Position[][][]): string {
  return polygons.flat().map(ringPath).join('');
}

function ringPath(ring: Position[]): string {
  const points = ring.map(([x, y]) => [Math.round(x as number), Math.round(y as number)] as const);
  let [atX, atY] = points[0] as readonly [number, number];
  let d = `M${atX} ${atY}l`;
  for (const [x, y] of points.slice(1, -1)) {
    if (x === atX && y === atY) continue;
    d += `${d.endsWith('l') || x < atX ? '' : ' '}${x - atX}${y < atY ? '' : ' '}${y - atY}`;
    [atX, atY] = [x, y];
  }
  return `${d}z`;
}
