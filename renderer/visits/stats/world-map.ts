import { geoNaturalEarth1, geoPath } from 'd3-geo';
import type { Feature, FeatureCollection } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-110m.json';
import { countryOfNumber } from './country-codes.ts';

/** Width of the map in SVG units. */
const width = 800;

/** Rotation in degrees, so that the edge of the map passes through the Bering Strait and splits no country. */
const turned = -11;

interface CountryShape {
  /** ISO alpha-2 code; undefined for areas without one. */
  readonly code: string | undefined;
  /** The `d` attribute of an SVG path. */
  readonly outline: string;
}

/** Antarctica would take up a third of the map and has no clicks. */
const antarctica = '010';

export interface WorldOutline {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly CountryShape[];
}

/**
 * The outlines of all countries in the Natural Earth projection. Rendered with d3-geo's stream, which clips shapes at
 * the antimeridian; projected point by point, Russia would be smeared across the map.
 */
export function worldOutline(): WorldOutline {
  // The package's types are generic JSON; its documentation specifies this topology.
  const topology = atlas as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>;
  const countries: FeatureCollection = feature(topology, topology.objects.countries);
  const shown = countries.features.filter((country) => country.id !== antarctica);
  const world: FeatureCollection = { type: 'FeatureCollection', features: shown };
  const draw = geoPath(geoNaturalEarth1().rotate([turned, 0]).fitWidth(width, world)).digits(1);
  const height = Math.ceil(draw.bounds(world)[1][1]);
  return {
    width,
    height,
    shapes: shown.map((country) => ({ code: codeOf(country), outline: draw(country) ?? '' })),
  };
}

function codeOf(country: Feature): string | undefined {
  if (country.id !== undefined) return countryOfNumber(String(country.id));
  // Kosovo has no ISO number; XK is the code in common use, including location databases.
  return country.properties?.name === 'Kosovo' ? 'XK' : undefined;
}
