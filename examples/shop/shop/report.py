"""What the manager reads in the morning."""

from shop.stock import Shelf
from shop.stock import get_stock as free_units


def low_products(shelf: Shelf, least: int = 5) -> list[str]:
    """Names of the products with fewer than `least` free units, the scarcest first."""
    free = {product: free_units(shelf, product) for product in shelf.units}
    low = [product for product, count in free.items() if count < least]
    return sorted(low, key=lambda product: (free[product], product))
