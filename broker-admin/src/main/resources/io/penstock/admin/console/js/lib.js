// One place that says where the vendored parts lie.
import { Component, Fragment, createContext, h, render } from '../vendor/preact.js';
import { useContext, useEffect, useErrorBoundary, useId, useLayoutEffect, useMemo, useRef, useState } from '../vendor/preact-hooks.js';
import htm from '../vendor/htm.js';

/** Templates: what is put in with `${}` is always text or elements, never markup. */
export const html = htm.bind(h);

export {
    Component,
    Fragment,
    createContext,
    render,
    useContext,
    useEffect,
    useErrorBoundary,
    useId,
    useLayoutEffect,
    useMemo,
    useRef,
    useState,
};
