import { geoNaturalEarth1, geoPath } from 'd3-geo';
import type { Feature, FeatureCollection } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-110m.json';
import { countryOfNumber } from './country-codes.ts';

/** Width of the drawing, in its own units. */
const width = 800;

/** Turns the globe so that the edge of the map runs through the Bering Strait and cuts no country in two. */
const turned = -11;

interface CountryShape {
  /** ISO alpha-2; undefined for an area that ISO has no code for. */
  readonly code: string | undefined;
  /** What the `d` of an SVG path takes. */
  readonly outline: string;
}

/** Antarctica would take a third of the picture and clicks nothing. */
const antarctica = '010';

export interface WorldOutline {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly CountryShape[];
}

/**
 * The outlines of all countries in the Natural Earth projection. Drawn through d3-geo's stream, which cuts shapes at
 * the date line; point by point, Russia would be smeared over the whole map.
 */
export function worldOutline(): WorldOutline {
  // The package types its JSON as widely as JSON is; its documentation promises this topology.
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
  // ISO has given Kosovo no number; XK is the code that everyone uses, location databases included.
  return country.properties?.name === 'Kosovo' ? 'XK' : undefined;
}
